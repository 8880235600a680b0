import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(50, 2, 0.1, 100);
camera.position.set(3, 2, 4);

const cube: THREE.Mesh = new THREE.Mesh(
  new THREE.BoxGeometry(1.5, 1.5, 1.5),
  new THREE.MeshStandardMaterial({ color: 0x4f9cf9 }),
);
scene.add(cube, new THREE.HemisphereLight(0xffffff, 0x334455, 3));

const frames = document.querySelector<HTMLParagraphElement>('#frames')!;
let renderer: THREE.WebGLRenderer | undefined;
try {
  renderer = new THREE.WebGLRenderer({ antialias: true });
} catch {
  frames.textContent = 'no WebGL';
}
if (renderer) {
  renderer.setSize(800, 400);
  document.body.append(renderer.domElement);
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.update();
  renderer.render(scene, camera);
  frames.textContent = `${renderer.info.render.triangles} triangles`;
}

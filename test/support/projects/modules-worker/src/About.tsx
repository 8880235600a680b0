import './about.css';

export default function About() {
  return <aside className="about">Counted by a worker, in {import.meta.env.MODE}</aside>;
}

export default function NotFound() {
  return <h1 className="p-6 text-3xl">There is no such page</h1>;
}

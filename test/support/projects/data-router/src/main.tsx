import { createRoot } from 'react-dom/client';
import { createBrowserRouter, Link, type LoaderFunctionArgs, RouterProvider, useLoaderData } from 'react-router-dom';

function Shelf() {
  return (
    <>
      <h1>Shelf</h1>
      <Link to="/books/3">Book 3</Link>
    </>
  );
}

function Book() {
  const { title } = useLoaderData() as { title: string };
  return <h1>{title}</h1>;
}

const loader = ({ params }: LoaderFunctionArgs) => ({ title: `Book ${params.id}` });

const router = createBrowserRouter([
  { path: '/', element: <Shelf /> },
  { path: '/books/:id', loader, element: <Book />, HydrateFallback: () => null },
]);

createRoot(document.getElementById('root') as HTMLElement).render(<RouterProvider router={router} />);

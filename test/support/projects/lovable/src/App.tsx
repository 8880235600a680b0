import { TooltipProvider } from "@/components/ui/tooltip";
import { createBrowserRouter, RouterProvider } from "react-router-dom";
import Index from "./pages/Index";
import About from "./pages/About";

const router = createBrowserRouter([
  { path: "/", element: <Index /> },
  { path: "/about", element: <About /> },
]);

const App = () => (
  <TooltipProvider>
    <RouterProvider router={router} />
  </TooltipProvider>
);

export default App;

import React from 'react';
import { Link } from 'react-router-dom';
import { ChefHat } from 'lucide-react';

const Navbar: React.FC = () => (
  <nav className="flex items-center gap-2 bg-white p-4 shadow">
    <ChefHat className="h-6 w-6 text-brand-700" />
    <Link to="/" className="text-xl font-bold">
      Recipes
    </Link>
  </nav>
);

export default Navbar;

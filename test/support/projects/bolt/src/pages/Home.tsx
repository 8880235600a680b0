import { Link } from 'react-router-dom';
import { Clock } from 'lucide-react';
import { recipes } from '../data';

export default function Home() {
  return (
    <ul className="space-y-4 p-6">
      {recipes.map(({ slug, name, minutes }) => (
        <li key={slug} className="flex items-center justify-between rounded-lg bg-white p-4 shadow">
          <Link to={`/recipes/${slug}`} className="text-lg text-brand-700">
            {name}
          </Link>
          <span className="chip">
            <Clock className="inline h-4 w-4" /> {minutes} min
          </span>
        </li>
      ))}
    </ul>
  );
}

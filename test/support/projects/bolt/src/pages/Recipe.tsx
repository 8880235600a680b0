import { useParams } from 'react-router-dom';
import { recipes } from '../data';

export default function Recipe() {
  const { slug } = useParams<{ slug: string }>();
  const recipe = recipes.find((one) => one.slug === slug);
  return <h1 className="p-6 text-3xl font-bold">{recipe?.name ?? 'Unknown recipe'}</h1>;
}

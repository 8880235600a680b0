import { BarChart3, Home, Settings as SettingsIcon } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { NavLink, Route, Routes } from 'react-router-dom';
import { cn } from '@/lib/utils';
import Overview from '@/pages/Overview';

const Reports = lazy(() => import('@/pages/Reports'));
const Settings = lazy(() => import('@/pages/Settings'));

const LINKS = [
  { to: '/', label: 'Overview', icon: Home },
  { to: '/reports', label: 'Reports', icon: BarChart3 },
  { to: '/settings', label: 'Settings', icon: SettingsIcon },
];

export default function App() {
  return (
    <div className="flex min-h-screen">
      <nav className="w-56 border-r border-slate-200 bg-white p-4 space-y-1">
        {LINKS.map(({ to, label, icon: Icon }) => (
          <NavLink
            key={to}
            to={to}
            end
            className={({ isActive }) =>
              cn('flex items-center gap-2 rounded-md px-3 py-2 text-sm', isActive && 'bg-brand text-white')
            }
          >
            <Icon className="size-4" />
            {label}
          </NavLink>
        ))}
      </nav>
      <main className="flex-1 p-8">
        <Suspense fallback={<p>Loading</p>}>
          <Routes>
            <Route path="/" element={<Overview />} />
            <Route path="/reports" element={<Reports />} />
            <Route path="/settings" element={<Settings />} />
            <Route path="*" element={<h1>Not found</h1>} />
          </Routes>
        </Suspense>
      </main>
    </div>
  );
}

import React, { useMemo, useState } from 'react';
import { ArrowDownRight, ArrowUpRight, DollarSign } from 'lucide-react';
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'];
const DATA = MONTHS.map((month, i) => ({ month, revenue: 4200 + i * 350 - (i % 2) * 900, cost: 2600 + i * 120 }));

export default function RevenueDashboard() {
  const [shown, setShown] = useState('revenue');
  const change = useMemo(() => (DATA[5][shown] / DATA[0][shown] - 1) * 100, [shown]);
  const Arrow = change >= 0 ? ArrowUpRight : ArrowDownRight;
  return (
    <div className="mx-auto max-w-3xl p-8">
      <h1 className="flex items-center gap-2 text-2xl font-bold">
        <DollarSign className="h-6 w-6 text-green-600" /> Revenue
      </h1>
      <p className="mt-2 flex items-center gap-1 text-gray-500">
        <Arrow className="h-4 w-4" /> <span id="change">{change.toFixed(1)} %</span>
      </p>
      <div className="mt-4 flex gap-2">
        {['revenue', 'cost'].map((name) => (
          <button
            key={name}
            onClick={() => setShown(name)}
            className={`rounded-full px-4 py-1 ${shown === name ? 'bg-green-600 text-white' : 'bg-gray-100 text-gray-700'}`}
          >
            {name}
          </button>
        ))}
      </div>
      <BarChart width={640} height={280} data={DATA} className="mt-6">
        <CartesianGrid strokeDasharray="3 3" />
        <XAxis dataKey="month" />
        <YAxis />
        <Tooltip />
        <Bar dataKey={shown} fill="#16a34a" isAnimationActive={false} />
      </BarChart>
    </div>
  );
}

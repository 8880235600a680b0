import { DollarSign, TrendingUp, Users } from 'lucide-react';
import { Area, AreaChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/components/ui/dialog';
import { MONTHS } from '@/lib/data';

const FIGURES = [
  { label: 'Revenue', value: '$41,200', icon: DollarSign },
  { label: 'Customers', value: '1,284', icon: Users },
  { label: 'Growth', value: '12.5 %', icon: TrendingUp },
];

export default function Overview() {
  return (
    <div className="space-y-6">
      <header className="flex items-center justify-between">
        <h1 className="text-2xl font-bold">Overview</h1>
        <Dialog>
          <DialogTrigger asChild>
            <Button>New report</Button>
          </DialogTrigger>
          <DialogContent>
            <DialogTitle className="font-semibold">New report</DialogTitle>
            <DialogDescription>Choose the months of the report.</DialogDescription>
          </DialogContent>
        </Dialog>
      </header>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-3">
        {FIGURES.map(({ label, value, icon: Icon }) => (
          <Card key={label} title={label}>
            <p className="flex items-center gap-2 text-3xl font-semibold">
              <Icon className="size-6 text-brand" />
              {value}
            </p>
          </Card>
        ))}
      </div>
      <Card title="Revenue and cost">
        <AreaChart width={600} height={240} data={MONTHS}>
          <CartesianGrid strokeDasharray="3 3" />
          <XAxis dataKey="month" />
          <YAxis />
          <Tooltip />
          <Area dataKey="revenue" stroke="#2563eb" fill="#bfdbfe" isAnimationActive={false} />
          <Area dataKey="cost" stroke="#94a3b8" fill="#e2e8f0" isAnimationActive={false} />
        </AreaChart>
      </Card>
    </div>
  );
}

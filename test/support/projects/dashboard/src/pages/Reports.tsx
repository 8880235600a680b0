import * as Tabs from '@radix-ui/react-tabs';
import { Bar, BarChart, Legend, Pie, PieChart, XAxis, YAxis } from 'recharts';
import { Card } from '@/components/ui/card';
import { MONTHS } from '@/lib/data';

export default function Reports() {
  return (
    <Tabs.Root defaultValue="bars" className="space-y-4">
      <h1 className="text-2xl font-bold">Reports</h1>
      <Tabs.List className="flex gap-2">
        <Tabs.Trigger value="bars" className="rounded-md border px-3 py-1 data-[state=active]:bg-brand data-[state=active]:text-white">
          Bars
        </Tabs.Trigger>
        <Tabs.Trigger value="shares" className="rounded-md border px-3 py-1 data-[state=active]:bg-brand data-[state=active]:text-white">
          Shares
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="bars">
        <Card title="By month">
          <BarChart width={600} height={240} data={MONTHS}>
            <XAxis dataKey="month" />
            <YAxis />
            <Legend />
            <Bar dataKey="revenue" fill="#2563eb" isAnimationActive={false} />
          </BarChart>
        </Card>
      </Tabs.Content>
      <Tabs.Content value="shares">
        <Card title="Shares">
          <PieChart width={300} height={240}>
            <Pie data={MONTHS} dataKey="cost" nameKey="month" fill="#2563eb" isAnimationActive={false} />
          </PieChart>
        </Card>
      </Tabs.Content>
    </Tabs.Root>
  );
}

import * as DropdownMenu from '@radix-ui/react-dropdown-menu';
import * as Select from '@radix-ui/react-select';
import { ChevronDown, MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Button } from '@/components/ui/button';

export default function Settings() {
  const [currency, setCurrency] = useState('usd');
  const [parameters] = useSearchParams();
  return (
    <div className="space-y-4">
      <h1 className="text-2xl font-bold">Settings {parameters.get('for')}</h1>
      <Select.Root value={currency} onValueChange={setCurrency}>
        <Select.Trigger className="inline-flex items-center gap-2 rounded-md border px-3 py-2" aria-label="Currency">
          <Select.Value />
          <ChevronDown className="size-4" />
        </Select.Trigger>
        <Select.Portal>
          <Select.Content className="rounded-md border bg-white p-1 shadow">
            <Select.Viewport>
              {['usd', 'eur', 'gbp'].map((code) => (
                <Select.Item key={code} value={code} className="rounded px-3 py-1 data-[highlighted]:bg-slate-100">
                  <Select.ItemText>{code.toUpperCase()}</Select.ItemText>
                </Select.Item>
              ))}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger asChild>
          <Button variant="outline" aria-label="More">
            <MoreHorizontal className="size-4" />
          </Button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="rounded-md border bg-white p-1 shadow">
            <DropdownMenu.Item className="px-3 py-1">Export</DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </div>
  );
}

export interface Month {
  month: string;
  revenue: number;
  cost: number;
}

export const MONTHS: Month[] = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'].map((month, index) => ({
  month,
  revenue: 4200 + index * 830 - (index % 2) * 600,
  cost: 3100 + index * 410,
}));

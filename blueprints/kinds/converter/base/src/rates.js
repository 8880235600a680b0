/** The day of the rates below. They are rounded samples: replace both with current ones. */
export const ratesDate = '2025-07-01';

/** How much of each currency (ISO 4217) one euro buys. */
export const rates = {
  EUR: 1, USD: 1.18, GBP: 0.86, CHF: 0.93, JPY: 169, CAD: 1.61, AUD: 1.79, CNY: 8.45, INR: 101, BRL: 6.4, MXN: 22.1, SEK: 11.1, PLN: 4.25,
};

import type { MethodSetting } from './properties.ts';

interface Bucket {
  tokens: number;
  /** From `performance.now()`. */
  filledAt: number;
}

/**
 * The throttling of a stage: a token bucket for each method of each path, with the settings for that method or, by default,
 * for all (`/*` and `*`).
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
export class Throttle {
  private readonly settings: readonly MethodSetting[];
  private readonly buckets = new Map<string, Bucket>();
  private readonly clock: () => number;

  /** @param clock returns milliseconds */
  constructor(settings: readonly MethodSetting[], clock = () => performance.now()) {
    this.settings = settings.filter((one) => one.ThrottlingRateLimit !== undefined);
    this.clock = clock;
  }

  /**
   * Takes a token for a request. Returns false if there is none.
   * @param resourcePath with the names of parameters, such as `/things/{id}`
   */
  allows(method: string, resourcePath: string): boolean {
    const setting = this.find(resourcePath, method) ?? this.find('/*', '*');
    if (setting === undefined) return true;
    const { ThrottlingRateLimit: rate = 0, ThrottlingBurstLimit: burst = 0 } = setting;
    const now = this.clock();
    const key = `${method} ${resourcePath}`;
    const { tokens, filledAt } = this.buckets.get(key) ?? { tokens: burst, filledAt: now };
    const filled = Math.min(burst, tokens + ((now - filledAt) / 1000) * rate);
    const isAllowed = filled >= 1;
    this.buckets.set(key, { tokens: isAllowed ? filled - 1 : filled, filledAt: now });
    return isAllowed;
  }

  private find(resourcePath: string, method: string): MethodSetting | undefined {
    return this.settings.find((one) => one.ResourcePath === resourcePath && one.HttpMethod === method);
  }
}

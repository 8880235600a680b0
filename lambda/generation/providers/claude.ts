/** Models of Anthropic that do not think: those before Claude 4. */
const BEFORE_THINKING = /claude-(?:instant|v?[123])(?![0-9])/;

/** Returns whether a model is a Claude that thinks; its id is Anthropic's or Bedrock's. */
export function isThinkingClaude(model: string): boolean {
  return model.includes('claude-') && !BEFORE_THINKING.test(model);
}

/** An attribute by its name, or one in another by its path. */
type Attribute = string | readonly string[];
/** The members of a set. */
type Members = ReadonlySet<string> | ReadonlySet<Uint8Array>;

/** An update of an item of DynamoDB and its condition, with placeholders for all names and values. */
export class ItemUpdate {
  readonly #names = new Map<string, string>();
  readonly #values: Record<string, unknown> = {};
  readonly #clauses = { SET: [] as string[], REMOVE: [] as string[], ADD: [] as string[], DELETE: [] as string[] };
  readonly #conditions: string[] = [];

  set(attribute: Attribute, value: unknown): this {
    this.#clauses.SET.push(`${this.#name(attribute)} = ${this.#value(value)}`);
    return this;
  }

  /** Sets a value, or removes the attribute if it is undefined. */
  assign(attribute: Attribute, value: unknown): this {
    return value === undefined ? this.remove(attribute) : this.set(attribute, value);
  }

  /** Sets a value unless there is one. */
  setOnce(attribute: Attribute, value: unknown): this {
    const name = this.#name(attribute);
    this.#clauses.SET.push(`${name} = if_not_exists(${name}, ${this.#value(value)})`);
    return this;
  }

  /** Sets the value that another attribute has before the update. */
  copy(attribute: Attribute, from: Attribute): this {
    this.#clauses.SET.push(`${this.#name(attribute)} = ${this.#name(from)}`);
    return this;
  }

  remove(attribute: Attribute): this {
    this.#clauses.REMOVE.push(this.#name(attribute));
    return this;
  }

  /** Adds to a number, or members to a set. Adding 0 is left out, and makes no attribute. */
  add(attribute: Attribute, amount: number | Members): this {
    if (amount !== 0) this.#clauses.ADD.push(`${this.#name(attribute)} ${this.#value(amount)}`);
    return this;
  }

  /** Removes members from a set. */
  delete(attribute: Attribute, members: Members): this {
    this.#clauses.DELETE.push(`${this.#name(attribute)} ${this.#value(members)}`);
    return this;
  }

  /**
   * Adds a condition; all of them must hold.
   * @param condition with `%` for the attribute, and `?` for each value; in parentheses if it has an `OR`
   */
  require(attribute: Attribute, condition: string, ...values: readonly unknown[]): this {
    const rest = [...values];
    const name = this.#name(attribute);
    this.#conditions.push(condition.replace(/[%?]/g, (mark) => (mark === '%' ? name : this.#value(rest.shift()))));
    return this;
  }

  get input() {
    const clauses = Object.entries(this.#clauses).filter(([, parts]) => parts.length > 0);
    const names = Object.fromEntries([...this.#names].map(([name, placeholder]) => [placeholder, name]));
    return {
      UpdateExpression: clauses.map(([keyword, parts]) => `${keyword} ${parts.join(', ')}`).join(' '),
      ...(this.#conditions.length > 0 && { ConditionExpression: this.#conditions.join(' AND ') }),
      ExpressionAttributeNames: names,
      // DynamoDB rejects an empty map.
      ...(Object.keys(this.#values).length > 0 && { ExpressionAttributeValues: this.#values }),
    };
  }

  #name(attribute: Attribute): string {
    const names = [attribute].flat().map((name) => {
      const placeholder = this.#names.get(name) ?? `#n${this.#names.size}`;
      this.#names.set(name, placeholder);
      return placeholder;
    });
    return names.join('.');
  }

  #value(value: unknown): string {
    const placeholder = `:v${Object.keys(this.#values).length}`;
    this.#values[placeholder] = value;
    return placeholder;
  }
}

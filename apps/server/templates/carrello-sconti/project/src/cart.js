/** Cents of one line, the discount taken off. */
export function lineTotal({ priceCents, quantity, discountPercent = 0 }) {
  const discounted = Math.round(priceCents * (1 - discountPercent / 100));
  return discounted * quantity;
}

/** Cents of all lines. */
export function cartTotal(lines) {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0);
}

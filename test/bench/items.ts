/** The path of the items of bills of materials, the line items that are measured. */
export const itemPath = '/api/manufacturing/b-o-m-item';

/** The parent of a tenth of all line items. */
export const largeParent = 'BOM-large';

/** The parent of 1,000 line items, where there are so many. */
export const mediumParent = 'BOM-medium';

/** Yields so many line items: each with its parent and its place there. All other parents have 20. */
export function* itemsOf(count: number): Generator<{ parent: string; idx: number }> {
  const large = Math.floor(count / 10);
  const medium = Math.min(1000, Math.floor(count / 20));
  for (let number = 0; number < count; number++) {
    if (number < large) yield { parent: largeParent, idx: number + 1 };
    else if (number < large + medium) yield { parent: mediumParent, idx: number - large + 1 };
    else yield { parent: `BOM-${Math.floor(number / 20)}`, idx: (number % 20) + 1 };
  }
}

/** The body of a create. The same number gives the same item. */
export function itemOf(number: number, parent: string): Record<string, string | number | boolean> {
  const quantity = 1 + (number % 12);
  const rate = 4.5 + (number % 400) / 8;
  return {
    bom_id: parent,
    item_code: `RAW-${10_000 + number}`,
    item_name: number % 2 === 0 ? 'Hex bolt M8 x 40, zinc plated' : 'Bearing housing, cast, with seal kit',
    operation: number % 3 === 0 ? 'Welding' : 'Surface treatment',
    source_warehouse: 'Stores Rotterdam, hall 3',
    description: 'To be inspected on receipt; certificates are kept with the delivery note.',
    qty: quantity,
    uom: 'Nos',
    stock_qty: quantity,
    stock_uom: 'Nos',
    conversion_factor: 1,
    rate,
    base_rate: rate,
    amount: rate * quantity,
    base_amount: rate * quantity,
    is_stock_item: true,
  };
}

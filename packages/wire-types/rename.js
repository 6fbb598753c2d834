/** The English form of a value from the wire, whose place is `id` in `places`. Unknown names and values stay. */
export function fromWire(places, id, value) {
  const place = places[id];
  if (place === undefined || value === null) return value;
  if (typeof value === 'string') return place.values?.[value] ?? value;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => fromWire(places, id, one));
  const made = {};
  for (const [wire, field] of Object.entries(value)) {
    const [name = wire, below = place.each] = ownField(place.fields, wire) ?? [];
    made[name] = below === undefined ? field : fromWire(places, below, field);
  }
  return made;
}

/** The form on the wire of an English value, whose place is `id` in `places`. Unknown names and values stay. */
export function toWire(places, id, value) {
  const place = places[id];
  if (place === undefined || value === null) return value;
  if (typeof value === 'string') return reversed(place).values.get(value) ?? value;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => toWire(places, id, one));
  const { fields } = reversed(place);
  const made = {};
  for (const [name, field] of Object.entries(value)) {
    const [wire, below = place.each] = fields.get(name) ?? [name];
    made[wire] = below === undefined ? field : toWire(places, below, field);
  }
  return made;
}

/** Names of the wire are data: `constructor` is not a field. */
const ownField = (fields, name) => (fields && Object.hasOwn(fields, name) ? fields[name] : undefined);

const reversals = new WeakMap();

/** The fields and values of a place by their English names. */
function reversed(place) {
  const known = reversals.get(place);
  if (known) return known;
  const fields = Object.entries(place.fields ?? {}).map(([wire, [name = wire, below]]) => [name, [wire, below]]);
  const values = Object.entries(place.values ?? {}).map(([wire, word]) => [word, wire]);
  const made = { fields: new Map(fields), values: new Map(values) };
  reversals.set(place, made);
  return made;
}

import { modelFamily, type VendorValue } from '@fucina/shared';
import type { WireCall } from './wire.ts';

export type VendorValues = Readonly<Record<string, unknown>>;
type Asked = Pick<WireCall, 'record' | 'model' | 'withoutReasoning'>;

/** What this model wants back with a part; undefined for nothing. */
export function vendorValue({ record, model }: Asked, values: VendorValues): VendorValue | undefined {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  if (given.length === 0) return undefined;
  return { provider: record.id, model, data: JSON.stringify(Object.fromEntries(given)) };
}

/** Of the same provider and family: opaque values mean nothing to others. */
export function ownValues(call: Asked, vendor: VendorValue | undefined): VendorValues | undefined {
  return vendor?.provider === call.record.id ? familyValues(call, vendor) : undefined;
}

/** Of the same family, wherever it is served. Undefined for a value that cannot be read. */
export function familyValues(
  { model, withoutReasoning }: Asked,
  vendor: VendorValue | undefined,
): VendorValues | undefined {
  if (!vendor || withoutReasoning) return undefined;
  if (vendor.model !== '' && modelFamily(vendor.model) !== modelFamily(model)) return undefined;
  try {
    const values: unknown = JSON.parse(vendor.data);
    return typeof values === 'object' && values !== null && !Array.isArray(values)
      ? (values as VendorValues)
      : undefined;
  } catch {
    // Of another version, or damaged: the part is sent without it.
    return undefined;
  }
}

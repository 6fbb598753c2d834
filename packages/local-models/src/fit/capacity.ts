import { localModelsError } from '../errors.ts';
import { RESERVE_BYTES } from '../installed/model-folder.ts';
import type { Graphics, Machine, Processor } from './machine.ts';

export interface Capacity {
  platform: string;
  arch: string;
  /** Wall time in ms. */
  measuredAt: number;
  processor: Processor;
  memory: { totalBytes: number; freeBytes: number };
  graphics: Graphics[] | null;
  storage: { totalBytes: number; availableBytes: number; reserveBytes: number; allocatableBytes: number };
  /** State of our own engine. */
  runtime: { status: string; reason: string | null };
}

/** REPORT_UNAVAILABLE when this computer cannot be measured. */
export async function capacityOf(
  machine: Machine,
  { runtime, now }: { runtime: Capacity['runtime']; now: number },
): Promise<Capacity> {
  try {
    const [memory, storage, processor, graphics] = await Promise.all([
      machine.memory(),
      machine.storage(),
      machine.processor(),
      machine.graphics(),
    ]);
    return {
      platform: machine.platform,
      arch: machine.arch,
      measuredAt: now,
      processor,
      memory: { totalBytes: memory.totalBytes, freeBytes: memory.availableBytes },
      graphics,
      storage: {
        ...storage,
        reserveBytes: RESERVE_BYTES,
        allocatableBytes: Math.max(0, storage.availableBytes - RESERVE_BYTES),
      },
      runtime,
    };
  } catch (cause) {
    throw localModelsError('REPORT_UNAVAILABLE', { reason: 'not-measured', cause });
  }
}

import { statfs } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import type { Ambient } from '@fucina/shared';

/** The resources of this computer. Sizes in bytes. */
export interface Machine {
  memory(): Promise<{ totalBytes: number; availableBytes: number }>;
  /** Of the disk with the models. */
  storage(): Promise<{ totalBytes: number; availableBytes: number }>;
  processor(): Promise<Processor>;
  /** Null when unknown. */
  graphics(): Promise<Graphics[] | null>;
  platform: string;
  arch: string;
}

export interface Processor {
  model: string;
  physicalCores: number;
  logicalCores: number;
}

export interface Graphics {
  name: string;
  totalBytes: number | null;
  freeBytes: number | null;
  /** The available backend: `cuda`, `metal`, `vulkan` or `none`. */
  backend: string;
}

const MIB = 1024 * 1024;
/** Measuring starts programs; the free memory of a graphics card changes slowly enough. */
const GRAPHICS_MS = 60_000;

/** Measured on demand, then cached. `folder` is absolute and exists. */
export function thisMachine({ ambient, folder }: { ambient: Ambient; folder: string }): Machine {
  let cpu: Promise<Processor> | undefined;
  let cards: { at: number; found: Promise<Graphics[] | null> } | undefined;
  return {
    platform: platform(),
    arch: arch(),
    async memory() {
      const { total, available } = await (await information()).mem();
      return { totalBytes: total, availableBytes: available };
    },
    async storage() {
      const { bavail, blocks, bsize } = await statfs(folder);
      return { totalBytes: blocks * bsize, availableBytes: bavail * bsize };
    },
    processor() {
      cpu ??= readProcessor();
      return cpu;
    },
    graphics() {
      const now = ambient.monotonic();
      if (!cards || now - cards.at > GRAPHICS_MS) cards = { at: now, found: readGraphics() };
      return cards.found;
    },
  };
}

/** A CommonJS package: in a bundle its exports are only in the default export. */
async function information() {
  return (await import('systeminformation')).default;
}

async function readProcessor(): Promise<Processor> {
  const { manufacturer, brand, physicalCores, cores } = await (await information()).cpu();
  const model = [manufacturer, brand].filter(Boolean).join(' ').trim();
  return { model: model || 'unknown', physicalCores: physicalCores || cores || 1, logicalCores: cores || 1 };
}

async function readGraphics(): Promise<Graphics[] | null> {
  const { controllers } = await (await information()).graphics();
  const cards = controllers.map(({ vendor, model, vram, memoryTotal, memoryFree }) => ({
    name: model || vendor || 'unknown',
    totalBytes: bytesOf(memoryTotal) ?? bytesOf(vram),
    freeBytes: bytesOf(memoryFree),
    backend: backendOf(vendor),
  }));
  return cards.length > 0 ? cards : null;
}

function bytesOf(mebibytes: number | null | undefined): number | null {
  return mebibytes ? mebibytes * MIB : null;
}

function backendOf(vendor: string): string {
  if (/nvidia/i.test(vendor)) return 'cuda';
  if (/apple/i.test(vendor)) return 'metal';
  return /amd|advanced micro|ati |intel/i.test(vendor) ? 'vulkan' : 'none';
}

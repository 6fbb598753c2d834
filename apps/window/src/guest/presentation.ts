import { openArchive } from './archive.ts';
import { GuestError, offer } from './guest.ts';
import { fillOf, type Palette, paletteOf } from './slides/colours.ts';
import {
  childNamed,
  children,
  linkOf,
  numberOf,
  type PresentationParts,
  partsOf,
  type Relationship,
} from './slides/parts.ts';
import { drawShapes } from './slides/shapes.ts';

const ROOT = 'ppt/presentation.xml';
/** Limits: more would only use memory. */
const MAX_SLIDES = 500;
const WORDS = {
  it: { slide: 'Diapositiva', chart: 'Grafico', picture: 'Immagine' },
  en: { slide: 'Slide', chart: 'Chart', picture: 'Picture' },
};

offer(async ({ bytes, lingua }, sheet) => {
  const archive = openArchive(bytes);
  if (!archive.names.includes(ROOT)) throw new GuestError('formato');
  const parts = partsOf(archive);
  const presentation = await parts.xml(ROOT);
  const size = childNamed(presentation, 'sldSz');
  const width = numberOf(size, 'cx') || 9_144_000;
  const height = numberOf(size, 'cy') || 6_858_000;
  const links = await parts.links(ROOT);
  const paths = children(childNamed(presentation, 'sldIdLst'), 'sldId')
    .map((slide) => links.get(linkOf(slide, 'id'))?.path)
    .filter((path) => path !== undefined)
    .slice(0, MAX_SLIDES);
  const words = WORDS[lingua] ?? WORDS.it;
  // Lengths are hundredths of the slide's width, at any display size.
  const unit = (emu: number): string => `${((emu / width) * 100).toFixed(4)}cqw`;
  for (const [at, path] of paths.entries()) {
    const slide = document.createElement('section');
    slide.className = 'slide';
    slide.setAttribute('aria-label', `${words.slide} ${at + 1}`);
    slide.style.aspectRatio = `${width} / ${height}`;
    sheet.append(slide);
    await drawSlide(path, slide, { parts, unit, words });
  }
  return paths.length;
});

interface SlideNeeds {
  parts: PresentationParts;
  unit: (emu: number) => string;
  words: { chart: string; picture: string };
}

async function drawSlide(path: string, into: HTMLElement, { parts, unit, words }: SlideNeeds): Promise<void> {
  const slide = await parts.xml(path);
  if (!slide) throw new GuestError('danneggiato');
  const links = await parts.links(path);
  const layoutPath = leadingTo(links, 'slideLayout');
  const layoutLinks = layoutPath === undefined ? NO_LINKS : await parts.links(layoutPath);
  const masterPath = leadingTo(layoutLinks, 'slideMaster');
  const masterLinks = masterPath === undefined ? NO_LINKS : await parts.links(masterPath);
  const part = async (one: string | undefined) => (one === undefined ? undefined : parts.xml(one));
  const layout = await part(layoutPath);
  const master = await part(masterPath);
  const theme = await part(leadingTo(masterLinks, 'theme'));
  const palette = paletteOf(theme);
  const sheets = [slide, layout, master];
  const background = sheets.map((one) => backgroundOf(one, palette)).find((one) => one !== undefined);
  if (background) into.style.background = background;
  const common = { parts, palette, unit, words, above: [layout, master], textStyles: childNamed(master, 'txStyles') };
  // Content of the layout and master shows through the slide, lowest first.
  const isPlain = slide.getAttribute('showMasterSp') === '0';
  const underneath = isPlain
    ? []
    : [
        { sheet: master, links: masterLinks },
        { sheet: layout, links: layoutLinks },
      ];
  for (const one of underneath) {
    await drawShapes(treeOf(one.sheet), into, { context: { ...common, links: one.links }, isBackground: true });
  }
  await drawShapes(treeOf(slide), into, { context: { ...common, links } });
}

const NO_LINKS: ReadonlyMap<string, Relationship> = new Map();
const treeOf = (sheet: Element | undefined) => childNamed(sheet, 'cSld', 'spTree');
const backgroundOf = (sheet: Element | undefined, palette: Palette) =>
  fillOf(childNamed(sheet, 'cSld', 'bg', 'bgPr'), palette);

function leadingTo(links: ReadonlyMap<string, Relationship>, type: string): string | undefined {
  return [...links.values()].find((link) => link.type === type)?.path;
}

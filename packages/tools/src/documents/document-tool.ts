import { isControlFile } from '@fucina/sandbox';
import {
  type FileChange,
  PathError,
  type PathProblem,
  type Tool,
  type ToolContext,
  type ToolResult,
  writeFileInside,
} from '@fucina/shared';
import { sizeText } from '../cut.ts';
import { hiddenControlFile } from '../file-change.ts';
import { MAX_FILE_BYTES } from '../limits.ts';
import { failure, locate, pathFailure } from '../located-path.ts';
import { sha256Of } from '../text-file.ts';
import { type DocumentInput, documentInput } from './document-input.ts';
import { safeFileName } from './file-name.ts';
import { type DocumentFormat, formatName, isBinary, type RichFormat } from './formats.ts';
import { type WrittenDocument, workerFailure, writeInWorker } from './in-worker.ts';

const MAX_SAME_NAME = 200;
/** The name is in use: by a file, a folder, or a link to a place outside. */
const TAKEN: ReadonlySet<PathProblem> = new Set(['exists', 'not-a-file', 'outside']);

export function createDocumentTool(): Tool<DocumentInput> {
  return {
    name: 'document_create',
    description:
      'Create a document named after its title in the session folder, never over another. Give body (Markdown), rows, slides ' +
      '(pptx) or, for a designed report (docx, pdf, html, pptx), report.blocks. Text formats take body as it is.',
    category: 'base',
    effect: 'write',
    gate: 'document_create',
    input: documentInput,
    action: ({ format, title, body, rows, slides, report }) => ({
      tipo: 'document_create',
      percorso: safeFileName(title, format),
      formato: format,
      titolo: title,
      ...(body === undefined ? {} : { corpo: body }),
      ...(rows === undefined ? {} : { righe: rows }),
      ...(slides === undefined ? {} : { diapositive: slides }),
      ...(report === undefined ? {} : { rapporto: report }),
    }),
    async run(input, context) {
      const problem = missing(input);
      if (problem !== undefined) return failure(problem);
      try {
        const made = await make(input, context.signal);
        return await put(input, made, context);
      } catch (error) {
        if (error instanceof PathError) return pathFailure(error, safeFileName(input.title, input.format));
        return failure(`The document was not made: ${workerFailure(error)}.`);
      }
    },
  };
}

/** The required fields of each format. */
function missing({ format, body, rows, slides, report }: DocumentInput): string | undefined {
  const has = [body, rows, slides, report].some((part) => part !== undefined);
  if (!has) return 'Give body, rows, slides or report.';
  if (format === 'csv' && !rows && body === undefined) return 'A csv is made of rows (or of body, as CSV text).';
  if (!isRich(format, body) && body === undefined && format !== 'json')
    return `For ${format} give body: the content itself.`;
  if (format !== 'json' || body === undefined) return undefined;
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    return `body is not valid JSON: ${(error as SyntaxError).message}`;
  }
}

/** Given Markdown is written unchanged; for a report it is generated. */
function isRich(format: DocumentFormat, body: string | undefined): format is RichFormat {
  if (format === 'md') return body === undefined;
  return isBinary(format) || format === 'html' || format === 'csv';
}

async function make({ format, ...request }: DocumentInput, signal: AbortSignal): Promise<WrittenDocument> {
  if (isRich(format, request.body)) return writeInWorker(request, format, signal);
  const { rows, slides, report } = request;
  const text = request.body ?? JSON.stringify(rows ?? slides ?? report, null, 2);
  return { bytes: Buffer.from(text.endsWith('\n') ? text : `${text}\n`), notes: [] };
}

async function put(
  { format, title }: DocumentInput,
  { bytes, notes }: WrittenDocument,
  context: ToolContext,
): Promise<ToolResult> {
  if (bytes.length > MAX_FILE_BYTES)
    return failure(`The document would be ${sizeText(bytes.length)}; the limit is 32 MiB.`);
  const wanted = safeFileName(title, format);
  for (let count = 1; count <= MAX_SAME_NAME; count++) {
    const path = count === 1 ? wanted : wanted.replace(/(\.[^.]+)$/, ` (${count})$1`);
    try {
      const refusal = await hiddenControlFile(locate(path, context));
      if (refusal) return refusal;
      // The user approved the first name: an alternative name may not be a control file.
      const isRefused = (real: string): boolean => isControlFile(real) && real !== wanted;
      await writeFileInside(context.folder, path, { data: bytes, ifExists: 'fail', isRefused });
    } catch (error) {
      if (error instanceof PathError && TAKEN.has(error.problem)) continue;
      throw error;
    }
    context.seen.set(path, sha256Of(bytes));
    const size = sizeText(bytes.length);
    return {
      content: [`Created ${path} (${formatName(format)}, ${size}).`, ...notes].join('\n'),
      changes: [changeOf(path, format, bytes)],
    };
  }
  return failure(
    `There are ${MAX_SAME_NAME} files named like ${JSON.stringify(wanted)} already. Choose another title.`,
  );
}

function changeOf(path: string, format: DocumentFormat, bytes: Uint8Array): FileChange {
  const after = isBinary(format) ? '' : Buffer.from(bytes).toString('utf8');
  return { path, before: null, after, attachment: { nome: path, formato: format, byte: bytes.length } };
}

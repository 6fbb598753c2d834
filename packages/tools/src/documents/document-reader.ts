import type { ReadJob } from './in-worker.ts';
import { answerAsProcess } from './reading-job.ts';

/** Entry point of the process that reads one untrusted document. */
answerAsProcess<ReadJob>(async (job, bytes) =>
  job.task === 'read-pdf'
    ? (await import('./read-pdf.ts')).readPdf(bytes, job.page)
    : (await import('./read-office.ts')).readOffice(bytes),
);

import * as z from 'zod';
import { bytes, json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { imageName, imageReference } from '../../wire/image.ts';

const tag = 'Sessions';
const UPLOAD_BODY_LIMIT = 7_000_000;
/** The page may run its own scripts and styles and show embedded content, but it has no network access. */
const ARTIFACT_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'self'";

export const uploadImage = operation({
  id: 'chat-images.upload',
  tag,
  summary: 'Upload an image for a message',
  method: 'POST',
  path: '/chat-images',
  body: renamed(z.strictObject({ nome: imageName, dataUrl: z.string() }), { nome: 'name' }),
  bodyLimit: UPLOAD_BODY_LIMIT,
  answer: json(imageReference),
  errors: ['PAYLOAD_LIMIT'],
  handle: ({ body, services }) => services.sessions.images.upload(body),
});

export const readImage = operation({
  id: 'chat-images.read',
  tag,
  summary: 'Bytes of an uploaded image',
  method: 'GET',
  path: '/chat-images/{imageHash}',
  params: z.strictObject({ imageHash: z.string() }),
  answer: bytes('image/*'),
  headers: { 'Cache-Control': 'private, no-store' },
  handle: async ({ params, services }) => {
    const { bytes: content, mimeType } = await services.sessions.images.read(params.imageHash);
    return { content, sizeBytes: content.length, mediaType: mimeType };
  },
});

export const readArtifact = operation({
  id: 'artifacts.read',
  tag,
  summary: 'An artifact page created by the agent, sandboxed',
  method: 'GET',
  path: '/artifacts/{artifactId}',
  params: z.strictObject({ artifactId: z.string() }),
  answer: bytes('text/html; charset=utf-8'),
  headers: { 'Content-Security-Policy': ARTIFACT_POLICY },
  handle: async ({ params, services }) => {
    const content = Buffer.from((await services.sessions.artifact(params.artifactId)).html);
    return { content, sizeBytes: content.length };
  },
});

import { expect, test } from '@jest/globals';
import { reservedPorts } from './reserved-ports.ts';

test('ports of local addresses are reserved, whatever spelling, and no others', () => {
  const addresses = [
    'http://127.0.0.1:11434',
    'http://localhost:1234/v1',
    'https://api.example.com:8443',
    'http://[::1]:9000/',
  ];
  const environment = {
    HTTPS_PROXY: 'http://127.0.0.1:7890',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://LOCALHOST:4318',
    DATABASE_URL: 'postgres://me:secret@127.1.2.3:5432/x',
    OTHER: 'http://notlocalhost:5173 http://10.0.0.1:8080 12:30',
  };
  expect([...reservedPorts(addresses, environment)].sort((one, other) => one - other)).toEqual([
    1234, 4318, 5432, 7890, 9000, 11_434,
  ]);
});

import { execFileSync } from 'node:child_process'
import { createOrder } from '@bancone/contract/new-orders'
import { expect, test } from 'vitest'
import { curlExample } from './api-keys-page.tsx'

test('the command is one a shell understands, with a body that would be taken', () => {
  const command = curlExample('https://bancone.example.it')
  // In the place of curl: its arguments, one a line, the body last and on its own.
  const script = `uuidgen() { echo key-of-the-shell; }; curl() { printf '%s\\0' "$@"; }; ${command}`
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0')
  expect(words.slice(0, 9)).toEqual([
    '-X',
    'POST',
    'https://bancone.example.it/api/orders',
    '-H',
    'Authorization: Bearer LA_TUA_CHIAVE',
    '-H',
    'Idempotency-Key: key-of-the-shell',
    '-H',
    'Content-Type: application/json',
  ])
  expect(createOrder.body.safeParse(JSON.parse(words[10] ?? '')).success).toBe(true)
})

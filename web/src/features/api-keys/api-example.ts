import { createOrder } from '@bancone/contract/new-orders'

/** Quotes for a shell: single quotes prevent any expansion. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A shell command that creates an order, with a placeholder instead of the key. */
export function curlExample(origin: string): string {
  const body = JSON.stringify(createOrder.example, null, 2)
  return [
    `curl -X ${createOrder.method} ${origin}${createOrder.path}`,
    `-H ${quoted('Authorization: Bearer LA_TUA_CHIAVE')}`,
    `-H "Idempotency-Key: $(uuidgen)"`,
    `-H ${quoted('Content-Type: application/json')}`,
    `-d ${quoted(body)}`,
  ].join(' \\\n  ')
}

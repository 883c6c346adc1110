import { createOrder } from '@bancone/contract/new-orders'

/** For a shell: what is between single quotes is taken as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A command that makes an order. In the place of the key stands a word. */
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

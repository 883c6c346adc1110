import { createServer } from 'node:http'
import { z } from 'zod'
import { read } from './load.ts'

const html = `<!doctype html>
<html lang="it">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>Ordini</title>
    <style>span { display: block; overflow-wrap: anywhere }</style>
    <script type="module" src="/bare.js"></script>
  </head>
  <body><button id="more">Successiva</button><ul></ul></body>
</html>`

const script = `
const list = document.querySelector('ul')
const read = async (path) => (await fetch(path)).json()

async function details(order) {
  const group = document.createElement('div')
  group.role = 'group'
  group.textContent = Object.values(order.fields).join(' ')
  document.body.append(group)
  const { history } = await read('/details')
  group.append(JSON.stringify(history))
  group.dataset.filled = ''
}

function row(order) {
  const item = document.createElement('li')
  item.dataset.order = order.id
  const button = document.createElement('button')
  button.textContent = 'Dettagli'
  button.onclick = () => details(order)
  item.append(...Object.values(order.fields).map((value) => {
    const text = document.createElement('span')
    text.textContent = value
    return text
  }), button)
  return item
}

async function show(number) {
  const { records } = await read('/orders')
  list.dataset.page = number
  list.replaceChildren(...records.map(row))
}

document.querySelector('#more').onclick = () => show(2)
show(1)
`

export type BarePage = { url: string; close(): Promise<void> }

const Page = z.object({ records: z.array(z.object({ id: z.string() })) })

/** A static document with one script, which asks for the answers that the server has given to that user. */
export async function serveBarePage(ours: string, token: string): Promise<BarePage> {
  const request = { headers: { authorization: `Bearer ${token}` } }
  const orders = await read(`${ours}/api/airtable-orders?page=1&pageSize=20`, request)
  const first = Page.parse(JSON.parse(orders)).records[0]?.id
  const details = await read(`${ours}/api/orders/${first}`, request)
  const files: Record<string, [type: string, cache: string, content: string]> = {
    '/': ['text/html; charset=utf-8', 'no-cache', html],
    '/bare.js': ['text/javascript', 'public, max-age=31536000, immutable', script],
    '/orders': ['application/json', 'no-store', orders],
    '/details': ['application/json', 'no-store', details],
    '/healthz': ['application/json', 'no-store', '{}'],
  }
  const server = createServer((asked, response) => {
    const file = files[asked.url ?? '']
    if (!file) return response.writeHead(404).end()
    const [type, cache, content] = file
    return response.writeHead(200, { 'content-type': type, 'cache-control': cache }).end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

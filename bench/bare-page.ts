import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** The reference for the public page: `node:http` sends the same bytes for every request. */
const page = readFileSync(process.env['PAGE'] ?? '')

const server = createServer((_request, response) => {
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Encoding': process.env['ENCODING'] ?? '',
    'Content-Length': page.byteLength,
  })
  response.end(page)
})

server.listen(Number(process.env['PORT']), '127.0.0.1')

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** What the public page is measured against: `node:http` sending the same bytes, whoever asks for what. */
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

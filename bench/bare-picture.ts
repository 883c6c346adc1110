import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** What a picture's address is measured against: `node:http` sending the same bytes, whoever asks for what. */
const picture = readFileSync(process.env['PICTURE'] ?? '')

const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'image/webp', 'Content-Length': picture.byteLength })
  response.end(picture)
})

server.listen(Number(process.env['PORT']), '127.0.0.1')

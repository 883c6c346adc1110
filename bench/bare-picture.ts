import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** The reference for a picture: `node:http` sends the same bytes for every request. */
const picture = readFileSync(process.env['PICTURE'] ?? '')

const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'image/webp', 'Content-Length': picture.byteLength })
  response.end(picture)
})

server.listen(Number(process.env['PORT']), '127.0.0.1')

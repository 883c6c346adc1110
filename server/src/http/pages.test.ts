import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paths } from '@bancone/contract/pages'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atEnd } from '../../test/at-end.ts'
import { handleErrors } from './error-handler.ts'
import { pageRoutes } from './pages.ts'
import { addSecurityHeaders, loginPageHeaders } from './security.ts'

let app: FastifyInstance
beforeAll(async () => {
  const root = await mkdtemp(join(tmpdir(), 'bancone web '))
  atEnd(() => rm(root, { recursive: true, force: true }))
  // The path of the folder must not matter.
  const folder = join(root, 'assets', 'web')
  await mkdir(join(folder, 'assets'), { recursive: true })
  await mkdir(join(folder, '.vite'))
  await writeFile(join(folder, 'index.html'), '<head><title>Bancone</title></head>')
  await writeFile(join(folder, '.vite', 'manifest.json'), '{}')
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'assets', 'a-1.js'), 'script')
  app = Fastify()
  handleErrors(app)
  addSecurityHeaders(app, { https: true })
  await app.register(
    async (part) => {
      part.setNotFoundHandler((_request, reply) => reply.code(404).send({ part: 'own' }))
    },
    { prefix: '/auth/v1' },
  )
  const login = { scriptUrl: 'https://connect.facebook.net/it_IT/sdk.js', otherOrigin: null }
  await pageRoutes(app, {
    folder,
    previewHosts: ['preview.example.it'],
    headersOf: { [paths.whatsapp]: loginPageHeaders(login) },
  })
})
afterAll(() => app.close())

const html = 'text/html,application/xhtml+xml,*/*;q=0.8'

describe('the web application', () => {
  it.each([
    ['GET', '/', html, 200],
    ['GET', '/login', html, 200],
    ['GET', '/login?next=1', html, 200],
    ['GET', '/orders/day?giorno=2026-11-21', html, 200],
    ['GET', '/account/api-keys', html, 200],
    ['GET', '/orders', html, 404],
    ['HEAD', '/login', html, 200],
    ['GET', '/login', '*/*', 200],
    ['GET', '/login', undefined, 200],
    ['GET', '/privacy', 'application/json', 404],
    ['GET', '/nowhere', html, 404],
    ['GET', '/assets/gone.js', '*/*', 404],
    ['GET', '/.vite/manifest.json', html, 404],
    ['GET', '/..%2f..%2fetc/passwd', html, 404],
    ['POST', '/login', html, 404],
  ] as const)('%s %s for %s is %s', async (method, url, accept, status) => {
    const reply = await app.inject({ method, url, headers: accept ? { accept } : {} })
    expect(reply.statusCode).toBe(status)
    if (status === 200) expect(reply.headers['cache-control']).toBe('no-cache')
  })

  it('an address that is no page gets the application, which says so', async () => {
    const reply = await app.inject({ url: '/nowhere', headers: { accept: html } })
    expect(reply.body).toContain('<title>')
  })

  it('keeps for ever what has a hash in its name, and nothing else', async () => {
    const asset = await app.inject('/assets/a-1.js')
    expect(asset.headers['cache-control']).toContain('immutable')
    const icon = await app.inject('/favicon.svg')
    expect([icon.statusCode, icon.headers['cache-control']]).toEqual([200, 'no-cache'])
    const gone = await app.inject('/assets/gone-1.js')
    expect([gone.statusCode, gone.headers['cache-control']]).toEqual([404, 'no-store'])
  })

  it('leaves to the other parts what is theirs', async () => {
    const reply = await app.inject({ url: '/auth/v1/nowhere', headers: { accept: html } })
    expect([reply.statusCode, reply.json()]).toEqual([404, { part: 'own' }])
    const api = await app.inject({ url: '/api/nowhere', headers: { accept: html } })
    expect(api.json()).toMatchObject({ code: 'route.not_found' })
  })

  it('lets the page of the WhatsApp connection, and no other, load the script of the login', async () => {
    const headersOf = async (url: string) =>
      (await app.inject({ url, headers: { accept: html } })).headers
    const own = await headersOf('/meta?next=1')
    expect(own['content-security-policy']).toContain(
      "script-src 'self' https://connect.facebook.net;",
    )
    expect(own['content-security-policy']).toContain('frame-src https://*.facebook.com;')
    expect(own['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
    for (const url of ['/', '/meta/', '/metal', '/favicon.svg']) {
      const others = await headersOf(url)
      expect(others['content-security-policy']).not.toContain('facebook')
      expect(others['content-security-policy']).toContain("script-src 'self';")
      expect(others['cross-origin-opener-policy']).toBe('same-origin')
    }
  })

  it('tells itself on the hosts of previews, and only there', async () => {
    const load = async (host: string) =>
      (await app.inject({ url: '/', headers: { accept: html, host } })).body
    expect(await load('Preview.example.it')).toContain('<meta name="bancone-preview" content="1">')
    expect(await load('bancone.example.it')).not.toContain('bancone-preview')
  })
})

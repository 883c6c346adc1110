import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { variableNames } from '../src/config/config-variables.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The files by which the server is installed, and the variables in them that other programs read. */
const packages: Record<string, string[]> = {
  Dockerfile: ['NODE_IMAGE', 'NODE_ENV', 'MALLOC_ARENA_MAX'],
  'compose.yaml': ['DATABASE_PASSWORD', 'POOLER_PASSWORD', 'POSTGRES_PASSWORD'],
  'compose.demo.yaml': [],
  'deploy/bancone.service': [
    'NODE_ENV',
    'MALLOC_ARENA_MAX',
    'AF_INET',
    'AF_INET6',
    'AF_UNIX',
    'AF_NETLINK',
  ],
  'deploy/helm/bancone/values.yaml': [],
  'deploy/helm/bancone/templates/deployment.yaml': [],
  'deploy/compose/Caddyfile': [],
  'deploy/ha/settings': ['DATABASE_PASSWORD'],
}

/** Words that can only be variables: those with an underscore, and single ones that are given a value. */
function variablesIn(text: string): string[] {
  const settings = text.replaceAll(/^\s*#.*$/gm, '')
  return [
    ...settings.matchAll(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b|\b(?:PORT|HOST|DEMO)\b(?=[=:])/g),
  ].map(([name]) => name)
}

it('packages name settings of the server and no others', () => {
  const known = new Set<string>(variableNames)
  for (const [file, others] of Object.entries(packages)) {
    const names = variablesIn(read(file))
    expect(names.length, file).toBeGreaterThan(0)
    const unknown = names.filter((name) => !known.has(name) && !others.includes(name))
    expect(unknown, file).toEqual([])
  }
  for (const name of variablesIn(read('.env.example'))) {
    expect(variablesIn(read('compose.yaml')), '.env.example').toContain(name)
  }
})

it('packages agree on the port, the data folder, the account and the command', () => {
  const image = read('Dockerfile')
  const deployment = read('deploy/helm/bancone/templates/deployment.yaml')
  expect(image).toMatch(/ PORT=3000 DATA_DIR=\/data /)
  expect(image).toContain('EXPOSE 3000')
  expect(image).toContain('VOLUME /data')
  expect(image).toContain('USER 1000:1000')
  expect(deployment).toContain('containerPort: 3000')
  expect(deployment).toContain('mountPath: /data')
  expect(deployment).toContain('runAsUser: 1000')
  expect(read('deploy/compose/Caddyfile')).toContain('server-1:3000 server-2:3000')
  expect(read('compose.yaml')).toMatch(/server-1:\/data.*\n[^]*server-2:\/data/)

  const [, heap] = /"exec node (.+) scripts\/start\.mjs"/.exec(read('package.json')) ?? []
  const command = `node --enable-source-maps ${heap} dist/server/main.js`
  expect(read('deploy/bancone.service')).toContain(command)
  const [, list = ''] = /^CMD (\[.+\])$/m.exec(image) ?? []
  expect(JSON.parse(list)).toEqual(command.split(' '))
})

it('probes ask what the server answers', () => {
  const routes = read('server/src/http/health.ts')
  const probes = [
    'Dockerfile',
    'deploy/compose/Caddyfile',
    'deploy/helm/bancone/templates/deployment.yaml',
    'deploy/ha/haproxy.cfg',
  ]
  for (const file of probes) {
    const paths = read(file).match(/\/\w+z\b/g) ?? []
    expect(paths.length, file).toBeGreaterThan(0)
    for (const path of paths) expect(routes, file).toContain(`'${path}'`)
  }
})

it('values.example names the values of deploy/ha and no others', () => {
  const folder = new URL('../../deploy/ha/', import.meta.url)
  const texts = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const used = texts.flatMap((text) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))
  const given = [...read('deploy/ha/values.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  expect(given.length).toBeGreaterThan(20)
  expect(new Set(given)).toEqual(new Set(used))
})

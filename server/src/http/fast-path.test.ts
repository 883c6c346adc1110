import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addFastPath, type FastPathHandler } from './fast-path.ts'

/** @returns the response of a server with these fast-path handlers, whose route responds 'late' */
async function listening(answers: FastPathHandler[], level = 'silent') {
  const app = Fastify({ logger: { level, stream: { write: () => {} } } })
  app.get('/*', () => 'late')
  for (const answer of answers) addFastPath(app, answer)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return async (path: string) => (await fetch(origin + path)).text()
}

const answering =
  (path: string, said: string): FastPathHandler =>
  ({ url }, response) => {
    if (url !== path) return false
    response.end(said)
    return true
  }

describe('an early answer', () => {
  it('is given before the framework, which gets everything else', async () => {
    const say = await listening([answering('/a', 'a'), answering('/b', 'b')])
    expect([await say('/a'), await say('/b'), await say('/c')]).toEqual(['a', 'b', 'late'])
  })

  it('that fails is the framework’s to give', async () => {
    const say = await listening([
      () => {
        throw new Error('broken')
      },
    ])
    expect([await say('/a'), await say('/a')]).toEqual(['late', 'late'])
  })

  it('that fails half way ends with its connection', async () => {
    const say = await listening([
      ({ url }, response) => {
        if (url !== '/a') return false
        response.writeHead(200).write('half')
        throw new Error('broken')
      },
    ])
    await expect(say('/a')).rejects.toThrow()
    expect(await say('/b')).toBe('late')
  })

  it('is none where every request has its line in the log', async () => {
    const say = await listening([answering('/a', 'a')], 'debug')
    expect(await say('/a')).toBe('late')
  })
})

import { expect, test } from 'vitest'
import { circlesOfRooms } from './rooms.mjs'

const importing = (source: string, ...resolved: string[]) => ({
  source,
  dependencies: resolved.map((path) => ({ resolved: path })),
})

const orders = 'server/src/features/orders'

test('a circle of rooms is found, and what composes rooms is in none', () => {
  const straight = [
    importing('server/src/http/a.ts', 'server/src/base/b.ts'),
    importing(`${orders}/orders.wiring.ts`, `${orders}/list/a.ts`),
    importing(`${orders}/list/a.ts`, `${orders}/records/b.ts`, `${orders}/orders.wiring.ts`),
    importing(`${orders}/records/b.test.ts`, `${orders}/list/a.ts`),
  ]
  expect(circlesOfRooms(straight)).toEqual({ rooms: 4, circles: [] })
  const back = [
    importing(`${orders}/records/b.ts`, `${orders}/sync/c.ts`),
    importing(`${orders}/sync/c.ts`, `${orders}/list/a.ts`),
  ]
  expect(circlesOfRooms([...straight, ...back]).circles).toEqual([
    `${orders}/list/`,
    `${orders}/records/`,
    `${orders}/sync/`,
  ])
  const top = importing('server/src/base/b.ts', 'server/src/http/a.ts')
  expect(circlesOfRooms([...straight, top]).circles).toEqual([
    'server/src/base/',
    'server/src/http/',
  ])
})

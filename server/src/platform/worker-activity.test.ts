import { EventEmitter } from 'node:events'
import type { WorkerEvents } from 'graphile-worker'
import { expect, it } from 'vitest'
import { createWorkerActivity } from './worker-activity.ts'

it('workers are silent for as long as no worker of a lane asks for a job or runs one', () => {
  let now = 0
  const activity = createWorkerActivity(() => now)
  const silent = (at: number) => {
    now = at
    return activity.silentMs()
  }
  expect(silent(100)).toBe(0)
  const lanes: WorkerEvents[] = [new EventEmitter(), new EventEmitter()]
  for (const lane of lanes) activity.follow(lane)
  const happen = (lane: number, event: string) => (lanes[lane] as EventEmitter).emit(event)
  expect(silent(300)).toBe(200)
  happen(0, 'worker:getJob:empty')
  expect(silent(400)).toBe(300)
  happen(1, 'job:start')
  // A long job is no silence, and the other lane is watched meanwhile.
  expect(silent(1_000)).toBe(700)
  happen(0, 'worker:getJob:empty')
  expect(silent(1_000)).toBe(0)
  happen(1, 'worker:fatalError')
  happen(0, 'job:start')
  expect(silent(1_500)).toBe(500)
})

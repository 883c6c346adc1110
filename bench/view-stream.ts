import { setTimeout as pause } from 'node:timers/promises'
import { nextView } from './visit-load.ts'

// Sends views to a server at an even pace from the message 'go' until 'rest', and then says how many were recorded.

const [, , url = '', perSecond = '', ...codes] = process.argv

async function sendView(): Promise<void> {
  const { path, ...view } = nextView(codes)
  const reply = await fetch(url + path, view)
  await reply.arrayBuffer()
  if (!reply.ok) throw new Error(`a view was answered with ${reply.status}`)
}

async function send(signal: AbortSignal): Promise<void> {
  const begun = performance.now()
  const views: Promise<void>[] = []
  while (!signal.aborted) {
    const due = ((performance.now() - begun) / 1000) * Number(perSecond)
    while (views.length < due) views.push(sendView())
    await pause(5)
  }
  await Promise.all(views)
  process.send?.(views.length)
}

let going = new AbortController()
process.on('message', (message) => {
  going.abort()
  if (message !== 'go') return
  going = new AbortController()
  void send(going.signal)
})
process.once('disconnect', () => process.exit())

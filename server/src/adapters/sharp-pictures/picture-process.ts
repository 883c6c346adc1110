import { writeFile } from 'node:fs/promises'
import { type DrawingAnswer, DrawingTask, type Greeting } from './picture-messages.ts'

// The process that draws pictures, started by `sharp-pictures` for as long as there are any.

/** Milliseconds between two looks at how much a picture has taken. */
const LOOK_EVERY = 100

const say = (message: Greeting | DrawingAnswer) => process.send?.(message)

process.title = 'bancone-pictures'
// Whoever started it decides when it ends: Ctrl-C and others mean all processes, and are no picture's fault.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
// Whoever started it is gone. A way out that waited for a picture could take for ever.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// Where memory runs out, this is the process to end (Linux).
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})

try {
  const { drawPicture } = await import('./picture-drawing.ts')

  const draw = async ({ work, to }: DrawingTask) => {
    if ('from' in work) return drawPicture(work.from, to, work.drawing)
    // Most of these processes draw none.
    const { drawCard } = await import('./card-drawing.ts')
    return drawCard(work.card, to)
  }
  const outcomeOf = async (task: DrawingTask) =>
    draw(task).catch((error: unknown) => ({ failed: wordOf(error) }))

  process.on('message', (message) => {
    const task = DrawingTask.parse(message)
    const before = process.cpuUsage()
    const look = setInterval(() => {
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1000 < task.computeMs) return
      clearInterval(look)
      say({ outcome: 'unreadable', again: false })
    }, LOOK_EVERY)
    void outcomeOf(task).then((outcome) => {
      clearInterval(look)
      say({ outcome, again: process.memoryUsage.rss() < task.mostMemory })
    })
  })
  say('ready')
} catch (error) {
  say({ failed: error instanceof Error ? error.message : 'unknown' })
}

/** `ENOSPC` and others; no more of it, since paths are nobody's business. */
function wordOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

import { readdir, writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { type ReadyMessage, type RenderReply, RenderTask } from './picture-messages.ts'

// The rendering process, started by `sharp-pictures` on demand.

/** Milliseconds between two checks of the CPU time. */
const CHECK_INTERVAL_MS = 100

const reply = (message: ReadyMessage | RenderReply) => process.send?.(message)

process.title = 'bancone-pictures'
// The parent decides when this process ends: a Ctrl-C reaches all processes of the terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
// The parent has ended. A graceful exit could wait for ever for a picture.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// Threads that began before the parent lowered the priority have kept theirs (Linux). Later ones inherit it.
for (const thread of await readdir('/proc/self/task').catch(() => [])) {
  try {
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The thread has ended.
  }
}
// Makes this process the first victim of the OOM killer (Linux).
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})

try {
  const { renderPicture } = await import('./picture-rendering.ts')

  const render = async ({ work, to }: RenderTask) => {
    if ('from' in work) return renderPicture(work.from, to, work.rendition)
    // Imported dynamically: most of these processes render neither.
    if ('drawing' in work) {
      const { renderDrawing } = await import('./drawing-rendering.ts')
      return renderDrawing(work.drawing, to)
    }
    const { renderCard } = await import('./card-rendering.ts')
    return renderCard(work.card, to)
  }
  const outcomeOf = async (task: RenderTask) =>
    render(task).catch((error: unknown) => ({ failed: codeOf(error) }))

  process.on('message', (message) => {
    const task = RenderTask.parse(message)
    const before = process.cpuUsage()
    const look = setInterval(() => {
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1000 < task.computeMs) return
      clearInterval(look)
      reply({ outcome: 'unreadable', again: false })
    }, CHECK_INTERVAL_MS)
    void outcomeOf(task).then((outcome) => {
      clearInterval(look)
      reply({ outcome, again: process.memoryUsage.rss() < task.maxMemory })
    })
  })
  reply('ready')
} catch (error) {
  reply({ failed: error instanceof Error ? error.message : 'unknown' })
}

/** The error code, such as `ENOSPC`. The message is omitted because it contains paths. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

import type { Request } from '@bancone/contract/endpoint'
import {
  cancelOrderExport,
  getOrderExport,
  type OrderExport,
  startOrderExport,
  takeOrderExport,
} from '@bancone/contract/order-exports'
import { call } from '../../../lib/api.ts'
import { download } from '../../../lib/download.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { pharmacySession } from '../../../lib/session.ts'

const LOOK_EVERY_MS = 700

type Asked = Request<typeof startOrderExport>['body']

/** What becomes of the one export that runs in this tab. `orders` is null until the server has counted them. */
export type ExportRun =
  | { state: 'idle' | 'cancelled' }
  | { state: 'running'; orders: { done: number; total: number } | null }
  | { state: 'saved'; fileName: string }
  | { state: 'failed'; error: unknown }

/** Says how it went when nobody looks. */
type OnEnd = (run: ExportRun) => void

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** The server had to stop in the middle, and the connection did not show it. */
export class UnfinishedExport extends Error {}

/**
 * An export goes on while its dialog is closed, and whatever page of the application is open. It ends with
 * the session of who asked for it.
 */
function createExportRun() {
  let run: ExportRun = { state: 'idle' }
  let current: AbortController | null = null
  const viewers = new Set<() => void>()

  function set(next: ExportRun) {
    run = next
    for (const viewer of viewers) viewer()
  }

  async function follow(id: string, { signal }: AbortController, over: AbortSignal) {
    for (;;) {
      await pause(LOOK_EVERY_MS)
      if (signal.aborted || over.aborted) return
      // One that is not answered costs nothing: the next is.
      const now = await call(getOrderExport, { params: { exportId: id } }, { signal }).catch(
        () => null,
      )
      if (signal.aborted || over.aborted) return
      if (now) set({ state: 'running', orders: now })
    }
  }

  async function isWhole({ id }: OrderExport, signal: AbortSignal): Promise<boolean> {
    const after = await call(getOrderExport, { params: { exportId: id } }, { signal }).catch(
      () => null,
    )
    return after?.state !== 'failed' && after?.state !== 'cancelled'
  }

  async function take(asked: Asked, own: AbortController): Promise<ExportRun> {
    const { signal } = own
    // Not given up on the way: then nobody would know what there is to cancel.
    const taken = await call(startOrderExport, { body: asked })
    const { id, fileName, total } = taken
    const over = new AbortController()
    try {
      signal.throwIfAborted()
      set({ state: 'running', orders: { done: 0, total } })
      void follow(id, own, over.signal)
      const file = await download(takeOrderExport, { params: { exportId: id } }, { signal })
      if (!(await isWhole(taken, signal))) throw new UnfinishedExport()
      signal.throwIfAborted()
      saveFile(file, fileName)
      return { state: 'saved', fileName }
    } catch (error) {
      // Whatever it was, nobody waits for it any more.
      void call(cancelOrderExport, { params: { exportId: id } }).catch(() => undefined)
      throw error
    } finally {
      over.abort()
    }
  }

  async function start(asked: Asked, onEnd: OnEnd) {
    if (current !== null) return
    const own = new AbortController()
    current = own
    set({ state: 'running', orders: null })
    const ended = await take(asked, own).catch((error: unknown): ExportRun => {
      return { state: 'failed', error }
    })
    // Whoever gave it up has said so.
    if (own.signal.aborted) return
    current = null
    set(ended)
    onEnd(ended)
  }

  function cancel() {
    if (current === null) return
    current.abort()
    current = null
    set({ state: 'cancelled' })
  }

  return {
    start,
    cancel,
    /** What was said of the last one has been read. */
    forget() {
      if (current === null) set({ state: 'idle' })
    },
    state: () => run,
    subscribe(viewer: () => void) {
      viewers.add(viewer)
      return () => void viewers.delete(viewer)
    },
  }
}

export const exportRun = createExportRun()

pharmacySession.onUserEnded(() => {
  exportRun.cancel()
  exportRun.forget()
})

import type { Request } from '@bancone/contract/endpoint'
import {
  cancelOrderExport,
  downloadOrderExport,
  getOrderExport,
  type OrderExport,
  startOrderExport,
} from '@bancone/contract/order-exports'
import { call } from '../../../lib/api.ts'
import { download } from '../../../lib/download.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { pharmacySession } from '../../../lib/session.ts'

const POLL_INTERVAL_MS = 700

type ExportRequest = Request<typeof startOrderExport>['body']

/** State of the only export of this tab. `orders` is null until the server has counted them. */
export type ExportRun =
  | { state: 'idle' | 'cancelled' }
  | { state: 'running'; orders: { done: number; total: number } | null }
  | { state: 'saved'; fileName: string }
  | { state: 'failed'; error: unknown }

/** Called with the final state, also when the dialog is closed. */
type OnEnd = (run: ExportRun) => void

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** The progress of an export; null when the request fails: the next one reports it. */
const read = (exportId: string, signal: AbortSignal) =>
  call(getOrderExport, { params: { exportId } }, { signal }).catch(() => null)

/** The server aborted the export although the download looked complete. */
export class IncompleteExportError extends Error {}

/** The export continues when its dialog is closed and on all pages. It ends with the user's session. */
function createExportRun() {
  let run: ExportRun = { state: 'idle' }
  let current: AbortController | null = null
  const subscribers = new Set<() => void>()

  function set(next: ExportRun) {
    run = next
    for (const onChange of subscribers) onChange()
  }

  async function pollProgress(id: string, { signal }: AbortController, finished: AbortSignal) {
    for (;;) {
      await pause(POLL_INTERVAL_MS)
      if (signal.aborted || finished.aborted) return
      const now = await read(id, signal)
      if (signal.aborted || finished.aborted) return
      if (now) set({ state: 'running', orders: now })
    }
  }

  async function isComplete({ id }: OrderExport, signal: AbortSignal): Promise<boolean> {
    const after = await read(id, signal)
    return after?.state !== 'failed' && after?.state !== 'cancelled'
  }

  async function take(request: ExportRequest, controller: AbortController): Promise<ExportRun> {
    const { signal } = controller
    // Without the signal: an aborted request would leave an export without a known id to cancel.
    const taken = await call(startOrderExport, { body: request })
    const { id, fileName, total } = taken
    const finished = new AbortController()
    try {
      signal.throwIfAborted()
      set({ state: 'running', orders: { done: 0, total } })
      void pollProgress(id, controller, finished.signal)
      const file = await download(downloadOrderExport, { params: { exportId: id } }, { signal })
      if (!(await isComplete(taken, signal))) throw new IncompleteExportError()
      signal.throwIfAborted()
      saveFile(file, fileName)
      return { state: 'saved', fileName }
    } catch (error) {
      // Frees the server's resources, whatever the error was.
      void call(cancelOrderExport, { params: { exportId: id } }).catch(() => undefined)
      throw error
    } finally {
      finished.abort()
    }
  }

  async function start(request: ExportRequest, onEnd: OnEnd) {
    if (current !== null) return
    const controller = new AbortController()
    current = controller
    set({ state: 'running', orders: null })
    const ended = await take(request, controller).catch((error: unknown): ExportRun => {
      return { state: 'failed', error }
    })
    // `cancel` has set the state already.
    if (controller.signal.aborted) return
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
    /** Clears the result of the last export. */
    reset() {
      if (current === null) set({ state: 'idle' })
    },
    state: () => run,
    subscribe(onChange: () => void) {
      subscribers.add(onChange)
      return () => void subscribers.delete(onChange)
    },
  }
}

export const exportRun = createExportRun()

pharmacySession.onUserChange(() => {
  exportRun.cancel()
  exportRun.reset()
})

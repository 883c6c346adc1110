import type { Endpoint, Request } from '@bancone/contract/endpoint'
import { useEffect, useRef } from 'react'
import type { RequestParts } from './api.ts'
import { download, IncompleteDownloadError } from './download.ts'
import { saveFile } from './save-file.ts'
import { problemText, useAction } from './use-action.ts'

/** Downloads a file, until the page is left. */
export function useFileDownload() {
  const action = useAction()
  const left = useRef<AbortController | null>(null)
  useEffect(() => {
    const controller = (left.current = new AbortController())
    return () => controller.abort()
  }, [])

  return {
    ...action,
    save<E extends Endpoint>(endpoint: E, request: Request<E> & RequestParts, name: string) {
      const signal = left.current?.signal
      if (!signal) return
      void action.run(
        async () => {
          const file = await download(endpoint, request, { signal }).catch((error: unknown) => {
            if (signal.aborted) return null
            throw error
          })
          if (file) saveFile(file, name)
        },
        (error) =>
          error instanceof IncompleteDownloadError
            ? 'Il file non è completo: riprova.'
            : problemText(error),
      )
    },
  }
}

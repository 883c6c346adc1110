import {
  MAX_IMPORT_BYTES,
  type PharmacyImport,
  uploadPharmacyImport,
} from '@bancone/contract/pharmacy-imports'
import { useEffect, useRef, useState } from 'react'
import { upload } from '../../lib/upload.ts'
import { useAction } from '../../lib/use-action.ts'

/** Sends a file to be checked. Aborted when the page is left. */
export function useImportUpload(onChecked: (checked: PharmacyImport) => void) {
  const action = useAction()
  const [percent, setPercent] = useState(0)
  const left = useRef<AbortController | null>(null)
  useEffect(() => {
    const controller = (left.current = new AbortController())
    return () => controller.abort()
  }, [])

  return {
    busy: action.busy,
    failure: action.failure,
    /** Percentage of the file that has been sent; at 100 the server checks it. */
    percent,
    send(file: File) {
      const signal = left.current?.signal
      if (!signal || action.busy) return
      action.clearFailure()
      if (file.size > MAX_IMPORT_BYTES) {
        action.fail('Il file non deve superare i 2 MB: dividilo in più file.')
        return
      }
      setPercent(0)
      void action.run(async () => {
        const options = { signal, onProgress: setPercent }
        const checked = await upload(uploadPharmacyImport, {}, file, options).catch(
          (error: unknown) => {
            if (signal.aborted) return null
            throw error
          },
        )
        if (checked) onChecked(checked)
      })
    },
  }
}

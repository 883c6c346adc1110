import {
  downloadImportTemplate,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_ROWS,
  type PharmacyImport,
  uploadPharmacyImport,
} from '@bancone/contract/pharmacy-imports'
import { Download, Upload } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { upload } from '../../lib/upload.ts'
import { useAction } from '../../lib/use-action.ts'
import { useFileDownload } from '../../lib/use-file-download.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { FileButton } from '../../ui/file-button.tsx'

const notes = [
  "Una farmacia si riconosce dal codice oppure, se la cella è vuota, dall'email. Quelle che non ci sono ancora vengono create.",
  "Una cella vuota, o una colonna che manca, lascia il valore com'è.",
  'Il piano si scrive con il suo nome. Limite e funzionalità servono solo se sono diversi da quelli del piano.',
  "Le password non stanno nel file: ogni farmacia nuova riceve un'email con il link per scegliere la sua.",
]

type FileChoiceProps = { onChecked: (checked: PharmacyImport) => void }

/** The buttons for the template and for the choice of a file. */
export function FileChoice({ onChecked }: FileChoiceProps) {
  const uploading = useImportUpload(onChecked)
  const template = useFileDownload()
  const limits = useId()
  return (
    <div className="flex flex-col gap-3">
      <FailureAlert failure={template.failure} />
      <FailureAlert failure={uploading.failure} />
      <div className="flex flex-wrap items-center gap-2.5">
        <FileButton
          label="Carica il file CSV"
          icon={<Upload aria-hidden />}
          accept=".csv,text/csv"
          describedBy={limits}
          onFile={uploading.send}
        />
        <Button
          inactive={template.busy}
          onClick={() => template.save(downloadImportTemplate, {}, 'modello-farmacie.csv')}
        >
          <Download aria-hidden />
          Scarica il modello
        </Button>
      </div>
      <p role="status" className="text-sm text-muted tabular-nums empty:hidden">
        {uploading.busy
          ? uploading.percent < 100
            ? `Invio del file: ${uploading.percent}%`
            : 'Controllo delle righe in corso…'
          : null}
      </p>
      <p id={limits} className="text-sm text-muted">
        File CSV fino a 2 MB e {formatNumber(MAX_IMPORT_ROWS)} righe, con punti e virgola o virgole.
      </p>
    </div>
  )
}

/** How a file is made, and the choice of it. */
export function ImportStart({ onChecked }: FileChoiceProps) {
  return (
    <section className="grid gap-x-10 gap-y-5 rounded-card border border-line bg-surface p-4 md:p-5 lg:grid-cols-2">
      <div className="flex flex-col gap-4">
        <div className="flex flex-col gap-1.5">
          <h2 className="text-lg leading-snug font-medium">Scegli il file</h2>
          <p className="text-sm text-pretty text-muted">
            Scarica il modello, compilalo con una riga per farmacia e caricalo. Prima vedi che cosa
            succederebbe: nulla viene salvato finché non lo confermi.
          </p>
        </div>
        <FileChoice onChecked={onChecked} />
      </div>
      <div className="flex flex-col gap-1.5 max-lg:border-t max-lg:border-line max-lg:pt-4">
        <h2 className="text-base leading-snug font-medium">Come si compila</h2>
        <ul className="flex list-disc flex-col gap-1.5 pl-5 text-sm text-pretty text-muted">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** Sends a file to be checked. Aborted when the page is left. */
function useImportUpload(onChecked: (checked: PharmacyImport) => void) {
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

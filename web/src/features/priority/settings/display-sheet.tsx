import { createPriorityDisplay, DESK_NAME_LENGTH } from '@bancone/contract/priority'
import { QRCodeSVG } from 'qrcode.react'
import { call } from '../../../lib/api.ts'
import type { ModalProps } from '../../../lib/use-opened.ts'
import { Alert } from '../../../ui/alert.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { MadeOnceSheet } from '../../../ui/made-once-sheet.tsx'

function MadeDisplay({ url, hurried }: { url: string; hurried: boolean }) {
  return (
    <div className="flex flex-col gap-3">
      <p>
        Inquadra il codice con il tablet o il telefono della sala, oppure apri lì il link. Lo vedi
        solo adesso: se lo perdi, elimina lo schermo e creane un altro.
      </p>
      <QRCodeSVG
        value={url}
        level="M"
        marginSize={4}
        title="QR code dello schermo"
        className="mx-auto h-auto w-full max-w-60 rounded-control"
      />
      <p className="rounded-control border border-line bg-sunken p-3 font-mono text-sm wrap-anywhere">
        {url}
      </p>
      <CopyButton label="Copia link dello schermo" text={url} primary />
      {hurried ? (
        <Alert tone="error">
          Prima apri lo schermo, o copia il link: dopo non si può più vedere.
        </Alert>
      ) : null}
    </div>
  )
}

/** Creates the link of a display and shows it once. */
export function DisplaySheet(props: ModalProps) {
  return (
    <MadeOnceSheet
      title="Nuovo schermo"
      body={createPriorityDisplay.body}
      nameProps={{ hint: "Per riconoscerlo qui, per esempio Sala d'attesa." }}
      maxLength={DESK_NAME_LENGTH}
      missing="Dai un nome allo schermo."
      create={async (body) => (await call(createPriorityDisplay, { body })).url}
      done="Ho aperto lo schermo"
      {...props}
    >
      {(url, hurried) => <MadeDisplay url={url} hurried={hurried} />}
    </MadeOnceSheet>
  )
}

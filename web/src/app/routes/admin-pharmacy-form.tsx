import type { ComponentProps } from 'react'
import { useParams } from 'react-router'
import {
  ReauthenticationDialog,
  textBefore,
} from '../../features/account/reauthentication-dialog.tsx'
import type { Reauthentication } from '../../features/admin-pharmacies/form/pharmacy-form.tsx'
import { PharmacyFormPage } from '../../features/admin-pharmacies/form/pharmacy-form-page.tsx'
import { PharmacyActions } from '../../features/pharmacy-actions/pharmacy-actions.tsx'
import { PharmacyAirtable } from '../../features/pharmacy-airtable/pharmacy-airtable.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

function PasswordQuestion(props: ComponentProps<Reauthentication>) {
  return (
    <ReauthenticationDialog
      area="admin"
      text={textBefore('Per impostare la password della farmacia')}
      {...props}
    />
  )
}

export function AdminPharmacyForm() {
  const { pharmacyId = null } = useParams()
  useDocumentTitle(pharmacyId === null ? 'Nuova farmacia' : 'Modifica farmacia')
  return (
    <>
      <PharmacyFormPage pharmacyId={pharmacyId} Reauthentication={PasswordQuestion} />
      {pharmacyId === null ? null : (
        <div className="mx-auto mt-5 flex w-full max-w-4xl flex-col gap-4 md:gap-5">
          <PharmacyAirtable pharmacyId={pharmacyId} />
          <PharmacyActions pharmacyId={pharmacyId} />
        </div>
      )}
    </>
  )
}

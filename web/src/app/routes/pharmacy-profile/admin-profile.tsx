import { adminPharmacyPath } from '@bancone/contract/admin-pages'
import {
  changePharmacyProfile,
  getPharmacyProfile,
  uploadPharmacyLogo,
} from '@bancone/contract/pharmacy-profile'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useCallback } from 'react'
import { Link, useParams } from 'react-router'
import type { SendPicture } from '../../../features/images/use-image-upload.ts'
import { ProfileForm } from '../../../features/pharmacy-profile/profile-form.tsx'
import { ProfileSkeleton } from '../../../features/pharmacy-profile/profile-skeleton.tsx'
import { endpointKey, useEndpoint, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { upload } from '../../../lib/upload.ts'
import { buttonStyle } from '../../../ui/button.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { LogoField } from './logo-field.tsx'

/** What a pharmacy shows of itself, for administrators. */
export function AdminProfile() {
  const { pharmacyId = '' } = useParams()
  return <Profile key={pharmacyId} params={{ pharmacyId }} />
}

function Profile({ params }: { params: { pharmacyId: string } }) {
  const { pharmacyId } = params
  const client = useQueryClient()
  const query = useEndpoint(getPharmacyProfile, { params }, { refetchOnWindowFocus: false })
  const { mutateAsync } = useEndpointMutation(changePharmacyProfile)
  const sendPicture = useCallback<SendPicture>(
    (picture, options) => upload(uploadPharmacyLogo, { params: { pharmacyId } }, picture, options),
    [pharmacyId],
  )
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <div className="flex flex-col items-start gap-2">
        <Link
          to={adminPharmacyPath(pharmacyId)}
          className={buttonStyle({ look: 'quiet', className: '-ml-3' })}
        >
          <ArrowLeft aria-hidden />
          Modifica farmacia
        </Link>
        <PageTitle>
          {query.data ? `Profilo di ${query.data.name}` : 'Profilo della farmacia'}
        </PageTitle>
      </div>
      <QueryStates query={query} skeleton={<ProfileSkeleton />}>
        {(profile) => (
          <ProfileForm
            profile={profile}
            renderLogo={(props) => <LogoField {...props} sendPicture={sendPicture} />}
            onSave={async (body) => {
              const saved = await mutateAsync({ params, body })
              client.setQueryData(endpointKey(getPharmacyProfile, { params }), saved)
              return saved
            }}
          />
        )}
      </QueryStates>
    </div>
  )
}

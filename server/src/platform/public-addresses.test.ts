import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './public-addresses.ts'

const isPublic = ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00:1450:4002::1']

const isNot: Record<string, string[]> = {
  'of this machine': ['127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '0.1.2.3', '::'],
  'of a private network': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1'],
  'of a provider': ['100.64.0.1', '100.127.255.255'],
  'of a cable, and of metadata': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254'],
  'for many or for all': ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
  'for tests, books and the future': [
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '192.0.0.8',
    '192.88.99.1',
    '2001:db8::1',
    '2001:2::1',
    '3fff::1',
    '5f00::1',
    '100::1',
    'fec0::1',
    '4000::1',
  ],
  'with another in it': [
    '::ffff:127.0.0.1',
    '::ffff:1.1.1.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '::1.1.1.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1.1.1.1',
    '2002:7f00:1::',
    '2002:0101:0101::',
    '2001:0:7f00:1::',
  ],
  'none at all': ['', 'localhost', '1.1.1', '0x7f.0.0.1', '2130706433', '1.1.1.1:80', '[::1]'],
}

describe('an address', () => {
  it.each(isPublic)('of the public network is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it('of the public network may be written as one of IPv6 where there is no IPv4', () => {
    expect(isPublicAddress('64:ff9b::1.1.1.1')).toBe(true)
  })

  const cases = Object.entries(isNot).flatMap(([kind, all]) => all.map((one) => [kind, one]))
  it.each(cases)('%s is not public: %j', (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

import type { lookup } from 'node:dns';
import { expect, test } from 'vitest';

import { lookupFor, parseReceiver } from '../../runtime/features/webhooks/addresses.ts';

const isPublic = false;
const anywhere = true;

/** Addresses that are not public, in many spellings. */
const privateHosts = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '①②⑦.0.0.1',
  '%31%32%37.0.0.1',
  'localhost',
  'LOCALHOST.',
  'a.localhost',
  '0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '198.19.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[ff02::1]',
];

test.each(privateHosts)('%s is refused as a receiver, unless private addresses are allowed', (host) => {
  expect(() => parseReceiver(`https://${host}/hook`, isPublic)).toThrow(/is not a public address/);
  for (const scheme of ['https', 'http'])
    expect(parseReceiver(`${scheme}://${host}/hook`, anywhere).pathname).toBe('/hook');
});

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '[2606:4700::1111]', 'example.com', '10.example.com'])(
  '%s is a receiver by https: alone',
  (host) => {
    expect(parseReceiver(`https://${host}/hook`, isPublic).protocol).toBe('https:');
    expect(() => parseReceiver(`http://${host}/hook`, isPublic)).toThrow(/must begin with https:/);
  },
);

test.each([
  ['http://8.8.8.8/', '8.8.8.8 is a public address, which needs https:.'],
  ['ftp://127.0.0.1/', 'it must be a URL like'],
  ['example.com/hook', 'it must be a URL like'],
  ['https://user:secret@127.0.0.1/', 'it must have no user and password'],
])('%.30s is refused also where private addresses are allowed', (url, message) => {
  expect(() => parseReceiver(url, anywhere)).toThrow(message);
});

/** Looks a name up that has these addresses. */
function addressesOf(url: string, allowsPrivate: boolean, ...addresses: string[]): Promise<string[]> {
  const look = ((_name: string, _options: unknown, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup;
  return new Promise((resolve, reject) => {
    lookupFor(new URL(url), allowsPrivate, look)('example.com', { all: true }, (error, found) => {
      if (error) reject(error);
      else resolve((found as { address: string }[]).map(({ address }) => address));
    });
  });
}

test('a name leads only to addresses that are allowed, whatever its DNS says', async () => {
  const url = 'https://example.com/';
  await expect(addressesOf(url, isPublic, '127.0.0.1')).rejects.toThrow('127.0.0.1 is not a public address');
  await expect(addressesOf(url, isPublic, '::ffff:10.0.0.1', 'fe80::1%eth0')).rejects.toThrow('not a public address');
  await expect(addressesOf(url, isPublic)).rejects.toThrow('has no address');
  expect(await addressesOf(url, isPublic, '10.0.0.1', '2606:4700::1', '8.8.8.8')).toEqual(['2606:4700::1', '8.8.8.8']);
  expect(await addressesOf(url, anywhere, '10.0.0.1', '8.8.8.8')).toEqual(['10.0.0.1', '8.8.8.8']);
  expect(await addressesOf('http://example.com/', anywhere, '10.0.0.1', '8.8.8.8')).toEqual(['10.0.0.1']);
});

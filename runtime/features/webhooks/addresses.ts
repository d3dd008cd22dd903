import { lookup as lookUp } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { UsageError } from '../../kernel/model/errors.ts';

/** Addresses that are not on the public internet (https://www.iana.org/assignments/iana-ipv4-special-registry), a list for each family. */
const privateAddresses = {
  ipv4: listOf(
    'ipv4',
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
      '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
  ),
  // All but 2000::/3, and in it what is for documents or leads to IPv4 addresses.
  ipv6: listOf('ipv6', '::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20'),
};

function listOf(family: 'ipv4' | 'ipv6', ranges: string): BlockList {
  const list = new BlockList();
  for (const range of ranges.split(' ')) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/**
 * Says why a webhook may not use an address; undefined if it may. Without TLS, it may use private addresses alone.
 *
 * @param allowsPrivate WEBHOOK_PRIVATE
 */
function refusal(address: string, { protocol }: URL, allowsPrivate: boolean): string | undefined {
  const [plain = ''] = address.split('%');
  const family = isIP(plain) === 4 ? 'ipv4' : 'ipv6';
  const isPrivate = privateAddresses[family].check(plain, family);
  if (isPrivate && !allowsPrivate) return `${plain} is not a public address`;
  return isPrivate || protocol === 'https:' ? undefined : `${plain} is a public address, which needs https:`;
}

/** The address that a URL has in place of a name, however it is written: `URL` makes 127.0.0.1 of 0x7f.1. */
function addressIn({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
  if (/^(?:.*\.)?localhost$/.test(host)) return '127.0.0.1';
  return isIP(host) ? host : undefined;
}

/** Says why a webhook may not use a URL, as far as its text tells; undefined if it may. */
export function urlRefusal(url: URL, allowsPrivate: boolean): string | undefined {
  const address = addressIn(url);
  return address === undefined ? undefined : refusal(address, url, allowsPrivate);
}

/** Looks names up, and finds only addresses that a webhook with this URL may use. */
export const lookupFor =
  (url: URL, allowsPrivate: boolean, look = lookUp): LookupFunction =>
  (hostname, { all, ...options }, callback) =>
    look(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const refusals = found.map(({ address }) => refusal(address, url, allowsPrivate));
      const allowed = found.filter((_, index) => refusals[index] === undefined);
      const [first] = allowed;
      if (!first) return callback(new Error(refusals[0] ?? `${hostname} has no address`), []);
      if (all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });

/** The URL of a webhook. @throws UsageError if it may not be one */
export function parseReceiver(text: string, allowsPrivate: boolean): URL {
  const url = URL.parse(text);
  const fail = (rule: string): never => {
    throw new UsageError(`--url is ${JSON.stringify(text)}; ${rule}.`);
  };
  if (!url || !/^https?:$/.test(url.protocol)) return fail('it must be a URL like https://example.com/records');
  if (url.username || url.password) return fail('it must have no user and password: receivers check the signature');
  if (url.protocol === 'http:' && !allowsPrivate) {
    return fail('it must begin with https: (http: is for private addresses, which WEBHOOK_PRIVATE=on allows)');
  }
  const reason = urlRefusal(url, allowsPrivate);
  return reason === undefined ? url : fail(`${reason}${allowsPrivate ? '' : '; WEBHOOK_PRIVATE=on allows it'}`);
}

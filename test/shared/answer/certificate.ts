import { generateKeyPairSync, sign } from 'node:crypto';

/** A value of ASN.1 in DER: its tag, its length and its parts one after the other. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
	const content = Buffer.concat(parts);
	const size = content.length;
	const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 255];
	return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const bytes = (tag: number, hex: string): Buffer => der(tag, Buffer.from(hex, 'hex'));
const time = (text: string): Buffer => der(0x18, Buffer.from(text));

/** An object identifier, already encoded. */
const OID = {
	ecdsaWithSha256: bytes(6, '2a8648ce3d040302'),
	commonName: bytes(6, '550403'),
	subjectAltName: bytes(6, '551d11'),
};

/** A private key and a certificate for 127.0.0.1 that it signed itself, made anew, both as PEM. */
export function createCertificate(): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const algorithm = sequence(OID.ecdsaWithSha256);
	const name = sequence(der(0x31, sequence(OID.commonName, der(0x0c, Buffer.from('Test')))));
	const loopback = der(4, sequence(bytes(0x87, '7f000001')));
	const certificate = sequence(
		der(0xa0, bytes(2, '02')),
		bytes(2, '01'),
		algorithm,
		name,
		sequence(time('20200101000000Z'), time('21200101000000Z')),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(0xa3, sequence(sequence(OID.subjectAltName, loopback))),
	);
	const signature = sign('sha256', certificate, privateKey);
	const signed = sequence(certificate, algorithm, der(3, Buffer.from([0]), signature));
	const cert = `-----BEGIN CERTIFICATE-----\n${signed.toString('base64')}\n-----END CERTIFICATE-----\n`;
	return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}

#!/usr/bin/env sh
# Prepares the servers of compose.yaml, and prints the variables of the contract tests, one NAME=value per line:
# the azure login method of Vault, logins by JWT and AppRole, and a workspace of OTF with two state versions.
set -eu

vault=http://127.0.0.1:8200
otf=http://127.0.0.1:8080

curl -sS --fail-with-body -X POST -H "X-Vault-Token: root" -d '{"type": "azure"}' "$vault/v1/sys/auth/azure" >&2

# Sends a request to Vault.
vault() {
    curl -sS --fail-with-body -X "$1" -H "X-Vault-Token: root" -d "$3" "$vault/v1/$2"
}
vault POST sys/auth/approle '{"type": "approle"}' >&2
vault POST sys/auth/jwt '{"type": "jwt"}' >&2
vault PUT sys/policies/acl/contract '{"policy": "path \"auth/azure/role\" { capabilities = [\"list\"] }"}' >&2
role='"token_policies": "contract", "token_ttl": "60s"'
vault POST auth/approle/role/contract "{$role}" >&2
role_id=$(vault GET auth/approle/role/contract/role-id "" | node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).data.role_id')
secret_id=$(vault POST auth/approle/role/contract/secret-id "" | node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).data.secret_id')
# A key pair, and a JWT that it signs.
eval "$(node -e '
    const { generateKeyPairSync, sign } = require("node:crypto");
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const now = Math.floor(Date.now() / 1000);
    const text = `${part({ alg: "RS256" })}.${part({ sub: "contract", aud: "contract", iat: now - 60, nbf: now - 60, exp: now + 86400 })}`;
    const keys = JSON.stringify({ jwt_validation_pubkeys: [publicKey.export({ type: "spki", format: "pem" })] });
    console.log(`jwt=${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`);
    console.log(`keys=\u0027${keys}\u0027`);
')"
vault POST auth/jwt/config "$keys" >&2
vault POST auth/jwt/role/contract "{$role, \"role_type\": \"jwt\", \"user_claim\": \"sub\", \"bound_audiences\": \"contract\"}" >&2

# Sends a JSON:API document to OTF.
send() {
    curl -sS --fail-with-body -X POST -H "Authorization: Bearer site-token" -H "Content-Type: application/vnd.api+json" -d "$2" "$otf/api/v2/$1"
}

send organizations '{"data": {"type": "organizations", "attributes": {"name": "contract", "email": "contract@example.com"}}}' >&2
workspace=$(send organizations/contract/workspaces '{"data": {"type": "workspaces", "attributes": {"name": "contract"}}}' |
    node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).data.id')
for serial in 1 2; do
    state="{\"version\": 4, \"terraform_version\": \"1.9.0\", \"serial\": $serial, \"lineage\": \"contract\", \"outputs\": {}, \"resources\": [{\"mode\": \"managed\", \"type\": \"terraform_data\", \"name\": \"number_$serial\", \"provider\": \"provider[\\\"terraform.io/builtin/terraform\\\"]\", \"instances\": [{\"schema_version\": 0, \"attributes\": {\"id\": \"$serial\"}}]}]}"
    md5=$(printf %s "$state" | md5sum | cut -d " " -f 1)
    content=$(printf %s "$state" | base64 -w 0)
    send "workspaces/$workspace/state-versions" "{\"data\": {\"type\": \"state-versions\", \"attributes\": {\"serial\": $serial, \"md5\": \"$md5\", \"lineage\": \"contract\", \"state\": \"$content\"}}}" >&2
done

cat <<VARIABLES
STATECRAFT_CONTRACT_VAULT_ADDRESS=$vault
STATECRAFT_CONTRACT_VAULT_TOKEN=root
STATECRAFT_CONTRACT_VAULT_LOGINS=[{"mount": "jwt", "role": "contract", "jwtVariable": "STATECRAFT_CONTRACT_JWT"}, {"mount": "approle", "roleId": "$role_id", "secretIdVariable": "STATECRAFT_CONTRACT_SECRET_ID"}]
STATECRAFT_CONTRACT_JWT=$jwt
STATECRAFT_CONTRACT_SECRET_ID=$secret_id
STATECRAFT_CONTRACT_NOMAD_ADDRESS=http://127.0.0.1:4646
STATECRAFT_CONTRACT_TERRAFORM_ADDRESS=$otf
STATECRAFT_CONTRACT_TERRAFORM_TOKEN=site-token
STATECRAFT_CONTRACT_OTF=true
STATECRAFT_CONTRACT_WORKSPACE=$workspace
STATECRAFT_CONTRACT_LACKS={"snapshots": "Vault's community edition has none", "configuration": "npm run real tests it", "plugin": "the image of Nomad has no CSI plugin", "claim": "the same", "node": "the same", "backing data": "OTF has no such routes"}
VARIABLES

// obd_tx.node: asks ECUs diagnostic questions. The one module of ours that can put a frame on a bus; what may leave is
// in guard.cc. Only `drivemcp obd poll` loads it, in a process of its own.
#include <napi.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "obd_tx/guard.h"
#include "obd_tx/isotp_socket.h"
#include "obd_tx/seal.h"

namespace obd_tx {
namespace {

constexpr int kAbi = 3;

bool Bytes(Napi::Value value, const uint8_t** data, size_t* length) {
  static const uint8_t nothing = 0;
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) return false;
  const Napi::Uint8Array array = value.As<Napi::Uint8Array>();
  *length = array.ByteLength();
  *data = *length == 0 ? &nothing : array.Data();
  return true;
}

// A number that is a whole one within 32 bits; another is no identifier, and conversion would make one of it.
bool Identifier(Napi::Value value, uint32_t* id) {
  if (!value.IsNumber()) return false;
  const double number = value.As<Napi::Number>().DoubleValue();
  if (!(number >= 0 && number <= 4294967295.0)) return false;
  *id = static_cast<uint32_t>(number);
  return static_cast<double>(*id) == number;
}

// checkRequest(id, isExtended, bytes): the verdict, 0 = may leave
Napi::Value CheckFromJs(const Napi::CallbackInfo& info) {
  uint32_t id;
  const uint8_t* data;
  size_t length;
  if (!Identifier(info[0], &id) || !info[1].IsBoolean() || !Bytes(info[2], &data, &length)) {
    Napi::TypeError::New(info.Env(), "checkRequest(id, isExtended, bytes)").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  const Verdict verdict = CheckRequest(id, info[1].As<Napi::Boolean>(), data, length);
  return Napi::Number::New(info.Env(), static_cast<int>(verdict));
}

Napi::Value SealFromJs(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), Seal()); }

// new IsotpSocket(interface, requestId, isExtended)
class JsSocket : public Napi::ObjectWrap<JsSocket> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "IsotpSocket",
                       {InstanceMethod("send", &JsSocket::Send), InstanceMethod("receive", &JsSocket::Receive),
                        InstanceMethod("close", &JsSocket::Close)});
  }
  explicit JsSocket(const Napi::CallbackInfo& info) : Napi::ObjectWrap<JsSocket>(info) {
    uint32_t id;
    if (!info[0].IsString() || !Identifier(info[1], &id) || !info[2].IsBoolean()) {
      Napi::TypeError::New(info.Env(), "new IsotpSocket(interface, requestId, isExtended)").ThrowAsJavaScriptException();
      return;
    }
    const std::string interface = info[0].As<Napi::String>();
    if (const int failed = socket_.Open(interface.c_str(), id, info[2].As<Napi::Boolean>())) {
      Napi::Error error = Napi::Error::New(info.Env(), std::strerror(failed));
      error.Set("errno", Napi::Number::New(info.Env(), failed));
      error.ThrowAsJavaScriptException();
    }
  }

 private:
  // send, of bytes: 0 or errno (EBUSY: too soon); throws where the guard refuses
  Napi::Value Send(const Napi::CallbackInfo& info) {
    const uint8_t* data;
    size_t length;
    if (!Bytes(info[0], &data, &length)) {
      Napi::TypeError::New(info.Env(), "send takes a Uint8Array").ThrowAsJavaScriptException();
      return info.Env().Undefined();
    }
    const SendResult result = socket_.Send(data, length);
    if (result.verdict != Verdict::kAllowed) {
      Napi::Error error = Napi::RangeError::New(info.Env(), "the request is not on the list of what may leave");
      error.Set("verdict", Napi::Number::New(info.Env(), static_cast<int>(result.verdict)));
      error.ThrowAsJavaScriptException();
      return info.Env().Undefined();
    }
    return Napi::Number::New(info.Env(), result.error);
  }

  // receive(to): length of one message, 0, or −errno
  Napi::Value Receive(const Napi::CallbackInfo& info) {
    if (!info[0].IsTypedArray() || info[0].As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
      Napi::TypeError::New(info.Env(), "receive(to)").ThrowAsJavaScriptException();
      return info.Env().Undefined();
    }
    Napi::Uint8Array to = info[0].As<Napi::Uint8Array>();
    return Napi::Number::New(info.Env(), static_cast<double>(socket_.Receive(to.Data(), to.ByteLength())));
  }

  void Close(const Napi::CallbackInfo&) { socket_.Close(); }

  IsotpSocket socket_;
};

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  exports.Set("abi", Napi::Number::New(env, kAbi));
  exports.Set("firstDescriptor", Napi::Number::New(env, kFirstDescriptor));
  exports.Set("checkRequest", Napi::Function::New(env, CheckFromJs));
  exports.Set("seal", Napi::Function::New(env, SealFromJs));
  exports.Set("IsotpSocket", JsSocket::Define(env));
  return exports;
}

}  // namespace

NODE_API_MODULE(obd_tx, Init)

}  // namespace obd_tx
